/**
 * Address of a trial's page for a frame of this page. The harness that is tried lets a page in by a cookie, which a
 * browser sends from a frame only where both have the same host name.
 *
 * @param url as the host tells it, on 127.0.0.1
 * @param page address of the page that shows the frame
 * @returns null where no frame can be let in: a page of another machine's name, over https, or of a desktop application
 */
export function trialFrameUrl(url: string, page: Pick<Location, 'protocol' | 'hostname'>): string | null {
  if (page.protocol !== 'http:' || !['127.0.0.1', 'localhost'].includes(page.hostname)) return null
  const address = new URL(url)
  address.hostname = page.hostname
  return address.href
}
