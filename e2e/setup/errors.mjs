// @ts-check

/** Something the person at the keyboard has to do: the message says what, so it is shown without a stack. */
export class SetupError extends Error {}
