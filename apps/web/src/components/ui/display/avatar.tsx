import { cx } from '@/lib/class-names.ts'
import { initialsOf } from '@/lib/format/initials.ts'

/** A person's initials. The name is shown next to it, so the avatar is not read out. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden
      className={cx(
        'grid size-11 shrink-0 place-items-center rounded-full bg-sunken text-[0.9375rem] font-semibold text-ink-2 select-none',
        className,
      )}
    >
      <bdi>{initialsOf(name)}</bdi>
    </span>
  )
}
