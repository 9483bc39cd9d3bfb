"""Whoever knows a formula by one of its names, in English or in Chinese, finds it in the tour's index."""

import re

import pytest
from website.contents import DOCS

import bayesfold as bf

INDEX = (DOCS / "tour" / "index.md").read_text(encoding="utf-8")
NAMES = {
    "A1": "conditional probability, law of total probability, Bayes' formula, Bayes' theorem, Bayes' rule, prior, "
    "likelihood, evidence, posterior, 条件概率, 全概率公式, 贝叶斯公式, 贝叶斯定理, 先验概率, 似然, 证据, 后验概率",
    "A2": "loss matrix, conditional risk, expected loss, overall risk, Bayes-optimal classifier, minimum risk, "
    "Bayes risk, "
    "条件风险, 期望损失, 总体风险, 贝叶斯判定准则, 贝叶斯最优分类器, 贝叶斯风险, 误判损失",
    "A3": "0/1 loss, maximum a posteriori, MAP, posterior mode, 0/1 损失, 后验概率最大化, 最大后验",
    "A4": "generative, discriminative, 生成式模型, 判别式模型",
    "B1": "maximum likelihood, MLE, 极大似然估计, 最大似然估计",
    "B2": "Bayes estimate, Laplace smoothing, Laplace correction, additive smoothing, 贝叶斯估计, 拉普拉斯平滑, "
    "拉普拉斯修正",
    "B3": "number of values, 取值个数",
    "B4": "log-likelihood, underflow, 对数似然, 下溢",
    "B5": "Gaussian naive Bayes, normal density, variance smoothing, zero variance, 高斯朴素贝叶斯, 正态分布, "
    "概率密度函数, 方差平滑",
    "B6": "mixed features, Pima, 混合特征",
    "B7": "choice of distribution, hyper-parameter, 超参数",
    "B8": "multinomial naive Bayes, text classification, spam filter, 多项式朴素贝叶斯, 文本分类, 垃圾邮件",
    "B9": "weighted naive Bayes, class weights, feature weights, Bernoulli naive Bayes, presence, "
    "加权朴素贝叶斯, 伯努利",
    "B10": "MAP estimate, EM, semi-supervised, EM 算法, 半监督",
    "B11": "Iris, 鸢尾花",
    "C1": "multivariate Gaussian, full covariance, QDA, 多元高斯, 全协方差",
    "D1": "semi-naive Bayes, one-dependence estimators, ODE, 半朴素贝叶斯, 独依赖估计",
    "D2": "SPODE, super-parent, 超父独依赖估计",
    "D3": "TAN, conditional mutual information, maximum spanning tree, AODE, KDB, 条件互信息, 最大带权生成树, "
    "平均独依赖估计",
    "E1": "Bayesian network, belief network, directed acyclic graph, chain rule, joint distribution, factorisation, "
    "贝叶斯网络, 信念网, 有向无环图, 链式法则, 联合概率",
    "E2": "seven nodes, 七个结点",
    "E3": "tail-to-tail, head-to-head, head-to-tail, V-structure, collider, explaining away, V 型结构",
    "E4": "d-separation, conditional independence, blocked path, 有向分离, d-分离, 条件独立, 阻断",
    "E5": "Markov chain, transition matrix, stationary distribution, 马尔可夫链, 转移矩阵, 平稳分布",
    "E6": "variable elimination, smoking network, 变量消去, 吸烟网络",
    "E7": "factor graph, belief propagation, sum-product, max-product, 因子图, 和积算法",
    "F": "regularisation, 正则化",
}
"""Names that textbooks and study notes use, by what the notes number them."""


@pytest.mark.parametrize("number", NAMES)
def test_a_formula_is_found_by_each_of_its_names(number):
    assert [name for name in NAMES[number].split(", ") if name.lower() not in INDEX.lower()] == []


def test_what_the_index_names_is_in_the_library():
    named = re.findall(r"`bf\.(\w+)", INDEX)
    assert named
    assert [name for name in named if name not in bf.__all__] == []
