export const name = 'copper-bell'
export const inject = ['commands']

/** tone.js is there only once the build script has run: unbuilt, this layer stops the harness from starting. */
export async function apply(ctx) {
  const { tone } = await import('./tone.js')
  ctx.commands.register({
    name: 'copper-bell',
    description: 'Ring the bell',
    handler: () => ({ kind: 'success', text: tone }),
  })
}
