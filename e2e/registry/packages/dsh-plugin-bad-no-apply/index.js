export const name = 'bad-no-apply'
