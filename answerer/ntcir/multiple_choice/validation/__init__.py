"""Answer validation: does the book support each choice as an answer to what the question asks?"""
