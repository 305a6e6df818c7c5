/**
 * Checks the address of the directory a build is for.
 *
 * @returns the address without a trailing slash
 * @throws Error that says what is wrong and what to write instead
 */
export function checkApiAddress(text: string): string {
  const wrong = (what: string) =>
    new Error(
      `The API address “${text}” ${what}. Write an address such as https://directory.example or http://127.0.0.1:8787.`,
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
