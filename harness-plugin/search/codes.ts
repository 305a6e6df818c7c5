/** Small numbers in place of texts that many listings share: they are counted and compared at every key. */
export interface Codes {
  /** The text of each code. */
  readonly texts: readonly string[]
  of(text: string): number
}

export function createCodes(): Codes {
  const texts: string[] = []
  const codes = new Map<string, number>()
  return {
    texts,
    of(text) {
      const known = codes.get(text)
      if (known !== undefined) return known
      codes.set(text, texts.length)
      return texts.push(text) - 1
    },
  }
}
