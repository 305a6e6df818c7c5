// @ts-check

/** @typedef {'deps' | 'git' | 'chromium' | 'font' | 'console' | 'harness' | 'newest-runtime' | 'all-runtimes' | 'python-client'} NeedName */

/**
 * @typedef {object} Command
 * @property {readonly NeedName[]} needs what must be on the machine first
 * @property {readonly (readonly [string, ...string[]])[]} programs files and leading arguments for Node 24, one after the
 *   other until one fails; each gets the rest of the command line
 */

const stages = 'e2e/setup/stages/run.ts'

/** @type {readonly NeedName[]} */
const everything = ['deps', 'git', 'chromium', 'font', 'console', 'harness', 'all-runtimes', 'python-client']

/** Each npm script by its name. @type {Readonly<Record<string, Command>>} */
export const commands = {
  start: { needs: ['deps', 'git', 'console', 'harness', 'newest-runtime'], programs: [['e2e/demo/start.ts']] },
  mock: { needs: ['deps'], programs: [['mock-api/cli.ts']] },
  build: { needs: ['deps'], programs: [['userscript/build.ts'], ['harness-plugin/build.ts']] },
  bench: { needs: ['deps', 'chromium'], programs: [['e2e/bench/run.ts']] },
  check: { needs: ['deps'], programs: [[stages, 'types,lint']] },
  test: { needs: everything, programs: [[stages, 'types,lint,unit,contract,browser,e2e']] },
  'test:types': { needs: ['deps'], programs: [[stages, 'types']] },
  'test:lint': { needs: ['deps'], programs: [[stages, 'lint']] },
  'test:unit': { needs: ['deps', 'git'], programs: [[stages, 'unit']] },
  'test:contract': { needs: ['deps', 'chromium'], programs: [[stages, 'contract']] },
  'test:browser': { needs: ['deps', 'chromium', 'font'], programs: [[stages, 'browser']] },
  'test:e2e': { needs: everything, programs: [[stages, 'e2e']] },
}

/**
 * @param {Command} command
 * @param {readonly string[]} args `--no-harness` does without the harness
 * @returns {readonly NeedName[]}
 */
export function neededBy(command, args) {
  return args.includes('--no-harness')
    ? command.needs.filter((need) => need !== 'harness' && !need.endsWith('-runtime'))
    : command.needs
}
