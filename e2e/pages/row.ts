/** One repository in a list on a page. */
export interface Row {
  /** `owner/repo`, in its own spelling. */
  readonly fullName: string
  readonly description: string
  readonly stars: number
  /** Main programming language; null when the code host knows none. */
  readonly language: string | null
}
