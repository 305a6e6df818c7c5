export const name = 'paper-kite'
export const inject = ['commands']

const winds = ['north', 'east', 'south', 'west']

export function apply(ctx) {
  ctx.commands.register({
    name: 'paper-kite',
    description: 'Ask for the wind',
    handler: () => ({ kind: 'success', text: winds[new Date().getHours() % winds.length] }),
  })
}
