export const name = 'bad-late'

export function apply() {
  setTimeout(() => Promise.reject(new Error('the mast came down later')), 1000)
}
