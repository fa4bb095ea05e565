"""The live page and its one endpoint: questions and task files answered on this machine, over
HTTP."""
