/** The text of a style sheet. */
declare module '*.css?raw' {
  const css: string
  export default css
}
