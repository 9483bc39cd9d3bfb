"""The live page and its REST interface: models and networks from files, asked over HTTP.

`endpoint` says what a question is, each file of `api/` holds the questions of one subject as plain functions, and `app`
is the only module that knows FastAPI, `run` the only one that knows uvicorn.
"""
