import type { Lexicon } from './types.ts'

export const en: Lexicon = {
  categories: {
    tools: 'Tools',
    ui: 'Interface',
    dev: 'Development',
    workflow: 'Workflow',
    memory: 'Memory',
    session: 'Sessions',
    skill: 'Skills',
    vision: 'Vision',
    model: 'Models',
    notify: 'Notifications',
    usage: 'Usage and cost',
    theme: 'Themes',
    market: 'Marketplaces',
    fun: 'Fun',
    other: 'Other',
  },
  verdicts: {
    passed: {
      name: 'Install check passed',
      sentence: 'The directory ran this command in a fresh container and the plugin was registered.',
    },
    'needs-approval': {
      name: 'Needs approval',
      sentence: 'It installs once you allow its build script to run.',
    },
    'not-a-layer': {
      name: 'Not a plugin layer',
      sentence: 'The command installs a package that adds nothing to the harness.',
    },
    failed: {
      name: 'Install check failed',
      sentence: 'The directory ran this command in a fresh container and it failed.',
    },
    timeout: {
      name: 'Install check timed out',
      sentence: 'The directory ran this command in a fresh container and it did not finish in time.',
    },
    unknown: {
      name: 'Install check not known',
      sentence: 'Nothing here says whether this command works.',
    },
  },
  riskFlags: {
    'install script': {
      name: 'Install script',
      sentence: 'Runs a script of its own while it is installed.',
    },
    'terminal surface': {
      name: 'Terminal access',
      sentence: 'Can run commands in a terminal on your machine.',
    },
    'requires credentials': {
      name: 'Needs credentials',
      sentence: 'Asks for a key, a token or an account of yours.',
    },
  },
  otherRiskFlag: 'The directory flags this; look at the source before you install it.',
  reasons: {
    'no-command': 'The directory knows no command that installs it.',
    'subdirectory-unpublished':
      'It lives in a subdirectory and is on no package registry, so no command can install it.',
    unpublished: 'It is on no package registry, and its repository cannot be installed as it is.',
    'not-text': 'The directory’s install command is not text, so it is not shown.',
    malformed: 'The directory’s install command does not have the expected form, so it is not shown.',
    'other-cli': 'The directory’s install command calls another program, so it is not shown.',
    'bad-profile': 'The directory’s install command names a profile that cannot exist, so it is not shown.',
    'bad-spec': 'The directory’s install command names neither a package nor a repository, so it is not shown.',
    'bad-listing': 'The name of this listing is not valid, so its command is not shown.',
    'other-package':
      'The directory’s install command installs another package than this listing’s, so it is not shown.',
    'other-repository':
      'The directory’s install command installs another repository than this listing’s, so it is not shown.',
    'subdirectory-needs-package':
      'It lives in a subdirectory, and the command would install the whole repository instead, so it is not shown.',
  },
  notAReview: 'A listing is not a security review.',
}
