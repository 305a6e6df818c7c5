// @ts-check

/** @typedef {import('../machine/machine.mjs').Machine} Machine */
/** @typedef {import('../progress.mjs').Progress} Progress */

/**
 * Something that is not there yet.
 *
 * @typedef {object} Lack
 * @property {string} what in a person's words
 * @property {string} from where it comes from: a package manager, a download
 * @property {number} fetch megabytes to fetch, at most
 * @property {number} disk megabytes it takes, at most
 * @property {readonly string[]} [apt] packages to ask of the system's package manager; the lacks of one run are asked for
 *   together
 * @property {(progress: Progress) => Promise<void>} [provide] brings it, when apt does not
 */

/**
 * @typedef {object} Need
 * @property {(machine: Machine) => Promise<Lack | null>} check null when it is there. Warns about what is missing and
 *   can be done without.
 * @throws {SetupError} from check, when it is missing and only a person can bring it
 */

/**
 * Whether set-up may install Debian's own packages here. On Ubuntu `apt-get install chromium-browser` brings a stub that
 * needs snap, so that is left to the person.
 *
 * @param {Machine} machine
 */
export const hasDebianPackages = ({ distribution, superuser, which }) =>
  distribution === 'debian' && superuser && which('apt-get') !== null
