import { filamentColor } from '@/lib/format/filament-color.ts'

/** A dot in the color of a filament, shown next to the color's name. An unknown color is a ring. */
export function ColorDot({ hex }: { hex: string | null }) {
  return (
    <i
      className="inline-block size-2.5 shrink-0 rounded-full shadow-[inset_0_0_0_1px_oklch(0_0_0/0.16)] dark:shadow-[inset_0_0_0_1px_oklch(1_0_0/0.28)]"
      style={{ backgroundColor: filamentColor(hex) }}
      aria-hidden
    />
  )
}
