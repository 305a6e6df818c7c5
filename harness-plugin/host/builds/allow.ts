import type { Review } from '../../protocol/index.ts'

export type Approval = NonNullable<Review['approval']>

/** Build scripts that were blocked; `setting` is null where the package manager did not say its version. */
export interface Blocked extends Omit<Approval, 'setting'> {
  readonly setting: Approval['setting'] | null
}
