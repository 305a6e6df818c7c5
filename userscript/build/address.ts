import { parseAddress } from '@plugmark/shared/client/core'

/**
 * Parses an address for a build: of the directory that it reads, or of the folder that serves it.
 *
 * @param name name of the address in an error
 * @returns the address without a trailing slash
 * @throws Error that says what is wrong and what to write instead
 */
export function buildAddress(text: string, name: string): string {
  const address = parseAddress(text)
  if (address !== null && /^(?:https:|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$))/.test(address))
    return address
  const problem =
    address === null
      ? 'is not an http or https address without user, query and fragment'
      : 'is neither https nor http on this machine'
  throw new Error(
    `The ${name} “${text}” ${problem}. Write an address such as https://directory.example or http://127.0.0.1:8787.`,
  )
}
