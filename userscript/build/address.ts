/**
 * Parses an address for a build: of the directory that it reads, or of the folder that serves it.
 *
 * @param name name of the address in an error
 * @returns the address without a trailing slash
 * @throws Error that says what is wrong and what to write instead
 */
export function parseAddress(text: string, name: string): string {
  const createError = (problem: string) =>
    new Error(
      `The ${name} “${text}” ${problem}. Write an address such as https://directory.example or http://127.0.0.1:8787.`,
    )
  if (!URL.canParse(text)) throw createError('is not an address')
  const url = new URL(text)
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    throw createError('is neither https nor http on this machine')
  }
  if (url.username || url.password) throw createError('has a user name or password in it')
  if (url.search || url.hash) throw createError('has a query or a fragment')
  return url.href.replace(/\/+$/, '')
}
