"""`python -m bayesfold`, the same as `bayesfold`."""

import sys

from bayesfold.cli._main import main

sys.exit(main())
