/**
 * Checks an address a build is told: of the directory it reads, or of the folder it is served from.
 *
 * @param what names it in an error
 * @returns the address without a trailing slash
 * @throws Error that says what is wrong and what to write instead
 */
export function checkAddress(text: string, what: string): string {
  const wrong = (is: string) =>
    new Error(
      `The ${what} “${text}” ${is}. Write an address such as https://directory.example or http://127.0.0.1:8787.`,
    )
  if (!URL.canParse(text)) throw wrong('is no address')
  const url = new URL(text)
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    throw wrong('is neither https nor http on this machine')
  }
  if (url.username || url.password) throw wrong('has a user name or password in it')
  if (url.search || url.hash) throw wrong('has a query or a fragment')
  return url.href.replace(/\/+$/, '')
}
