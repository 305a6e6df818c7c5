export const level = (depth) => Math.max(0, 100 - depth)
