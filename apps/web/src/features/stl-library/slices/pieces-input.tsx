import { MAX_SLICE_PIECES, type Slice } from '@pegasus/contracts/slices/slices'
import { useState } from 'react'
import { Input } from '@/components/ui/forms/input.tsx'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { t } from '@/lib/i18n/messages.ts'
import { useUpdateSlice } from './slices.queries.ts'

/** The number of pieces that one print produces. A change is saved when the field is left. */
export function PiecesInput({
  slice,
  title,
  canChange,
}: {
  slice: Slice
  title: string
  canChange: boolean
}) {
  const update = useUpdateSlice()
  const [typed, setTyped] = useState(String(slice.pieces))
  if (!canChange)
    return (
      <span className="px-1 text-label text-ink-2">
        {t('{pieces, plural, one {# piece} other {# pieces}}', { pieces: slice.pieces })}
      </span>
    )
  const save = () => {
    const pieces = typedNumber(typed) ?? 0
    const isGood = Number.isInteger(pieces) && pieces >= 1 && pieces <= MAX_SLICE_PIECES
    if (!isGood) return setTyped(String(slice.pieces))
    if (pieces === slice.pieces) return
    update.mutate({ slice, change: { pieces } }, { onError: () => setTyped(String(slice.pieces)) })
  }
  return (
    <Input
      aria-label={t('Pieces on {title}', { title })}
      inputMode="numeric"
      unit={t('pcs')}
      className="w-22"
      value={typed}
      disabled={update.isPending}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
    />
  )
}
