/** The classes that text fields and selects share. */
export const controlClass =
  'w-full min-w-0 rounded-control border border-control bg-surface text-ink transition-colors outline-offset-0 focus-visible:border-accent disabled:opacity-55 read-only:bg-sunken aria-invalid:border-red aria-invalid:shadow-[0_0_0_1px_var(--red)] phone:min-h-11 touch:min-h-11'

export type ControlSize = 'md' | 'lg'

export const controlHeight = (size: ControlSize): string => (size === 'lg' ? 'h-[38px]' : 'h-[34px]')
