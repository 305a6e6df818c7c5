import type { Category, RiskFlag, Verdict } from '../contract/index.ts'
import type { NotInstallableReason } from '../install/index.ts'

/** A short name, and a plain sentence for somebody who has never seen it. */
export interface Explained {
  readonly name: string
  readonly sentence: string
}

/** The texts for the contract's ids in one language, the same on every surface. */
export interface ContractTexts {
  readonly categories: Readonly<Record<Category | 'other', string>>
  /** `unknown`: a listing without a verdict, or with one newer than this client. */
  readonly verdicts: Readonly<Record<Verdict | 'unknown', Explained>>
  /** Joins the name of a verdict and the age of its install check. */
  readonly checked: (verdict: string, age: string) => string
  /** The same for a check that passed. */
  readonly passed: (age: string) => string
  readonly riskFlags: Readonly<Record<RiskFlag, Explained>>
  /** The sentence for a flag newer than this client; its name is the flag itself. */
  readonly otherRiskFlag: string
  readonly reasons: Readonly<Record<NotInstallableReason, string>>
  /** Shown wherever an install is offered. */
  readonly notAReview: string
}

export const en: ContractTexts = {
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
      name: 'Installs',
      sentence: 'The directory ran its install command in a fresh container and the plugin was registered.',
    },
    'needs-approval': {
      name: 'Needs approval',
      sentence: 'It can be installed once you allow its build script to run.',
    },
    'not-a-layer': {
      name: 'Not a plugin',
      sentence: 'Its install command installs a package that adds nothing to the harness.',
    },
    failed: {
      name: 'Does not install',
      sentence: 'The directory ran its install command in a fresh container and it failed.',
    },
    timeout: {
      name: 'Install timed out',
      sentence: 'The directory ran its install command in a fresh container and it did not finish in time.',
    },
    unknown: {
      name: 'Install check unknown',
      sentence: 'It is not known whether its install command works.',
    },
  },
  checked: (verdict, age) => `${verdict}, checked ${age}`,
  passed: (age) => `Install check passed ${age}`,
  riskFlags: {
    'install script': {
      name: 'Install script',
      sentence: 'Runs its own script during the install.',
    },
    'terminal surface': {
      name: 'Terminal access',
      sentence: 'Can run commands in a terminal on your machine.',
    },
    'requires credentials': {
      name: 'Needs credentials',
      sentence: 'Asks for your key, token or account.',
    },
  },
  otherRiskFlag: 'Flagged by the directory. Look at the source before you install it.',
  reasons: {
    'no-command': 'The directory has no install command for it.',
    'subdirectory-unpublished': 'It is in a subdirectory and not on a package registry, so no command can install it.',
    unpublished: 'It is not on a package registry, and its repository cannot be installed directly.',
    'not-text': 'The directory’s install command is not text, so it is not shown.',
    malformed: 'The directory’s install command has an unexpected format, so it is not shown.',
    'other-cli': 'The directory’s install command runs another program, so it is not shown.',
    'bad-profile': 'The directory’s install command has an invalid profile name, so it is not shown.',
    'bad-spec': 'The directory’s install command names neither a package nor a repository, so it is not shown.',
    'bad-listing': 'The name of this listing is not valid, so its command is not shown.',
    'other-package': 'The directory’s install command installs a different package, so it is not shown.',
    'other-repository': 'The directory’s install command installs a different repository, so it is not shown.',
    'subdirectory-needs-package':
      'It is in a subdirectory, but the install command would install the whole repository, so it is not shown.',
  },
  notAReview: 'A listing is not a security review.',
}
