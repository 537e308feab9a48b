"""Cleaning takes away what is not the text, and keeps what is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from training.cleaning import packed, plain, sentences, speeches, without_html, without_wiki_markup

PLAY = """
Scene I. A platform before the castle.

[Two sentries at their post. A third
comes to them.]

FIRST SENTRY.
Who goes there? Speak,
or thou diest.

Sec.
A friend to this ground.

Exeunt.

ACT II.
"""


def test_words_supplied_by_an_editor_lose_only_their_brackets() -> None:
    assert plain("and the sea [was] calm") == "and the sea was calm"


def test_signs_become_those_of_a_typewriter() -> None:
    assert plain("“It`s done” — he said…") == '"It\'s done" - he said.'


def test_an_ellipsis_inside_a_sentence_does_not_end_it() -> None:
    assert sentences("The market . . . works for some.") == ["The market, works for some."]


def test_sentences_end_where_they_end_and_keep_their_quotes() -> None:
    assert sentences('He said "No." Then Mr. Smith left. Why?') == ['He said "No."', "Then Mr. Smith left.", "Why?"]


def test_sentences_that_lost_their_blank_are_still_two() -> None:
    assert sentences("It ended well.We left.") == ["It ended well.", "We left."]


def test_of_a_play_only_what_is_said_is_left() -> None:
    assert list(speeches(PLAY)) == ["Who goes there? Speak, or thou diest.", "A friend to this ground."]


def test_line_numbers_of_a_poem_go() -> None:
    assert list(speeches("The garden that was sung        10\nIs lost and won again.")) == [
        "The garden that was sung Is lost and won again."
    ]


def test_references_go_but_a_bracketed_letter_belongs_to_its_word() -> None:
    page = "<p>They said <i>“[s]ociety is ours”</i> [Old Book, p. 12].</p><div>menu</div>"
    assert list(without_html(page)) == ["They said “society is ours” ."]


def test_of_a_wiki_article_the_prose_is_left() -> None:
    article = (
        "{{Infobox|name=x {{inner}}}}\n==History==\n* a list item with quite a few words in it indeed\n"
        "The [[city|town]] was ''founded'' by [[people]] in the north&lt;ref&gt;A note.&lt;/ref&gt; long ago.\n"
    )
    assert list(without_wiki_markup(article)) == ["The town was founded by people in the north long ago."]


@given(st.lists(st.text(alphabet="ab", min_size=1, max_size=4), max_size=30), st.integers(1, 9))
def test_packing_keeps_every_word_in_order(words: list[str], limit: int) -> None:
    parts = list(packed(words, limit))
    assert " ".join(parts).split() == words
    assert all(len(part.split()) <= limit for part in parts)
