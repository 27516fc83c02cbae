import { Input } from '../ui/forms/input.tsx'
import { filamentColor } from '@/lib/format/filament-color.ts'
import { t } from '@/lib/i18n/messages.ts'

interface ColorFieldProps {
  value: string
  onChange: (hex: string) => void
}

/** Color of the picker while no color is chosen. */
const NEUTRAL = '#808080'

const withHash = (text: string): string => (/^[0-9a-f]{6}([0-9a-f]{2})?$/i.test(text) ? `#${text}` : text)

/** A text field for a color, with the browser's color picker next to it. Put it inside a Field. */
export function ColorField({ value, onChange }: ColorFieldProps) {
  const hex = withHash(value.trim())
  const color = filamentColor(hex)
  return (
    <span className="flex gap-2">
      <Input
        value={value}
        maxLength={9}
        placeholder="#RRGGBB"
        autoComplete="off"
        spellCheck={false}
        className="flex-1"
        onChange={(event) => onChange(event.target.value)}
        onBlur={() => onChange(hex.toUpperCase())}
      />
      <input
        type="color"
        aria-label={t('Pick the color')}
        value={color === 'transparent' ? NEUTRAL : color.toLowerCase()}
        onChange={(event) => onChange(event.target.value.toUpperCase())}
        className="h-[34px] w-10 shrink-0 cursor-pointer rounded-control border border-control bg-surface p-1 phone:h-11 phone:w-12 touch:h-11"
      />
    </span>
  )
}
