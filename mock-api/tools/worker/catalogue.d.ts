declare module 'virtual:catalogue' {
  const text: string
  export default text
}
