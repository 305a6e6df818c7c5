import 'a-package-nobody-installed'

export const name = 'bad-import'

export function apply() {}
