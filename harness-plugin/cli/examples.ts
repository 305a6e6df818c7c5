/** Examples in the help of each command. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  search: [
    'plugmark search memory',
    'plugmark search --category theme --license MIT --limit 5',
    'plugmark search "notes risk:none sort:checked" --json',
  ],
  show: ['plugmark show owner/repo', 'plugmark show some-package --json'],
  check: ['plugmark check owner/repo --profile web', 'plugmark check some-package --json'],
  install: [
    'plugmark install owner/repo --profile web',
    'plugmark install some-package --json --accept DIGEST',
    'plugmark install owner/one owner/two --each',
    'plugmark install https://github.com/owner/repo --dry-run',
  ],
  update: ['plugmark update --all', 'plugmark update some-package --profile web'],
  remove: ['plugmark remove some-package'],
  list: ['plugmark list', 'plugmark list --outdated --json'],
  doctor: ['plugmark doctor', 'plugmark doctor --fix --profile web'],
  undo: ['plugmark undo --profile web', 'plugmark undo --dry-run'],
  index: ['plugmark index --refresh', 'plugmark index --format ndjson'],
  export: ['plugmark export > plugins.json'],
  import: ['plugmark import plugins.json', 'plugmark import plugins.json --dry-run'],
  open: ['plugmark open owner/repo', 'plugmark open some-package --what releases'],
  config: ['plugmark config', 'plugmark config profile web', 'plugmark config registry --unset'],
  capabilities: ['plugmark capabilities --json'],
  completions: ['source <(plugmark completions bash)', 'plugmark completions fish | source'],
  mcp: ['plugmark mcp'],
}
