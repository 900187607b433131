/** What the files of Python name, in the form in which its tools write them. */
import { json, listsVersions } from '../project.ts';

listsVersions([
  [
    'requirements-dev.txt',
    '# tools\nDjango==4.2.1\nrequests[socks] >= 2.0, <3 ; python_version > "3"\nflask\n-r other.txt\nlxml!=4.0,>=4.1\n',
    ['pip Django 4.2.1', 'pip requests 2.0', 'pip lxml 4.1'],
  ],
  [
    'pyproject.toml',
    '[project]\nrequires-python = ">=3.9"\ndependencies = ["httpx[http2]>=0.24,<1", "rich ~= 13.0"]\n',
    ['pip httpx 0.24', 'pip rich 13.0'],
  ],
  [
    'requirements/base.txt',
    '  django==4.2\nflask [async] == 2.0\n',
    ['pip django 4.2', 'pip flask 2.0'],
  ],
  [
    'pyproject.toml',
    '[tool.poetry]\nversion = "0.1.0"\n\n[tool.poetry.dependencies]\ndjango = "^4.0"\nuvicorn = { version = ">=0.20", extras = ["standard"] }\n\n[tool.poetry.group.dev.dependencies]\npytest = "7.0.0"\n',
    ['pip django 4.0', 'pip uvicorn 0.20', 'pip pytest 7.0.0'],
  ],
  ['Pipfile', '[packages]\ndjango = "==4.0"\nflask = "*"\n', ['pip django 4.0']],
  [
    'pylock.dev.toml',
    "lock-version = '1.0'\n\n[[packages]]\nname = 'attrs'\nversion = '25.1.0'\n",
    ['pip attrs 25.1.0'],
  ],
  [
    'uv.lock',
    '[[package]]\nname = "own"\nversion = "0.1.0"\nsource = { editable = "." }\n\n[[package]]\nname = "idna"\nversion = "3.7"\nsource = { registry = "https://r" }\n',
    ['pip idna 3.7'],
  ],
  [
    'Pipfile.lock',
    json({ default: { idna: { version: '==3.7' } }, develop: {} }),
    ['pip idna 3.7'],
  ],
]);
