import type { Spool } from '@pegasus/contracts/filament/spools'
import { useQuery } from '@tanstack/react-query'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { formatGrams } from '@/lib/format/format.ts'
import { spoolsToPickQuery } from './part-picker.queries.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

interface SpoolSelectProps {
  /** Id of the selected spool; empty for any spool. */
  value: string
  /** Lists only spools of this material; empty for all materials. */
  material: string
  /** The spool that is already selected. The list may not contain it. */
  known?: { id: string; label: string } | null | '' | undefined
  onChange: (spool: Spool | null) => void
}

/** Describes a spool: `S-0117 · PETG Signal Orange · 84 g left`. */
const spoolLabel = (spool: Spool): string =>
  joinFacts([
    spool.label_code,
    [spool.material, spool.color].filter(Boolean).join(' '),
    t('{remaining_grams} left', { remaining_grams: formatGrams(spool.remaining_grams) }),
  ])

/** Selects a spool that is not empty. Needs a Field around it. */
export function SpoolSelect({ value, material, known, onChange }: SpoolSelectProps) {
  const { data } = useQuery(spoolsToPickQuery(material.trim()))
  const spools = (data?.items ?? []).filter((spool) => spool.remaining_grams > 0 || spool.id === value)
  const isMissing = value !== '' && !spools.some(({ id }) => id === value)
  return (
    <Select
      value={value}
      onChange={(event) => onChange(spools.find(({ id }) => id === event.target.value) ?? null)}
    >
      <option value="">{t('Any')}</option>
      {isMissing ? <option value={value}>{(known && known.label) || t('The chosen spool')}</option> : null}
      <Options of={spools.map((spool) => ({ value: spool.id, label: spoolLabel(spool) }))} />
    </Select>
  )
}
