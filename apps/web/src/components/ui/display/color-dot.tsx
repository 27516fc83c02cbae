import { filamentColor } from '@/lib/format/filament-color.ts'

/** The colour of a filament, with its name next to it. A ring if the colour is unknown. */
export function ColorDot({ hex }: { hex: string | null }) {
  return (
    <i
      className="inline-block size-2.5 shrink-0 rounded-full shadow-[inset_0_0_0_1px_oklch(0_0_0/0.16)] dark:shadow-[inset_0_0_0_1px_oklch(1_0_0/0.28)]"
      style={{ backgroundColor: filamentColor(hex) }}
      aria-hidden
    />
  )
}
