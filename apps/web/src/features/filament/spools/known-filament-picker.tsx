import type { Spool } from '@pegasus/contracts/filament/spools'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EntityPicker, type PickedEntity, usePickerSearch } from '@/components/kit/entity-picker.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { formatMoney } from '@/lib/format/format.ts'
import { knownFilamentsQuery } from '../filament.queries.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

interface KnownFilament extends PickedEntity {
  /** The newest spool of the filament. */
  spool: Spool
}

const toPicked = (spool: Spool): KnownFilament => ({
  id: spool.id,
  name: [spool.brand, spool.name].filter(Boolean).join(' '),
  caption: joinFacts([spool.material, spool.color, spool.cost === null ? '' : formatMoney(spool.cost)]),
  picture: null,
  swatch: spool.color_hex,
  spool,
})

interface KnownFilamentPickerProps {
  /** The spool whose values the form was opened with. */
  first: Spool | undefined
  /** Called with the newest spool of the chosen filament, whose values are filled in. */
  onPick: (spool: Spool) => void
}

/** Picks a filament that the shop has had before, so that nobody needs to type its values again. */
export function KnownFilamentPicker({ first, onPick }: KnownFilamentPickerProps) {
  const picker = usePickerSearch()
  const [chosen, setChosen] = useState<KnownFilament | null>(() => (first ? toPicked(first) : null))
  const known = useQuery({
    ...knownFilamentsQuery(picker.search),
    enabled: picker.isOpen,
    placeholderData: keepPreviousData,
  })
  return (
    <Field
      label={t('Known filament')}
      hint={t('Fills in the fields below from the latest spool of this filament.')}
    >
      <EntityPicker
        picker={picker}
        chosen={chosen}
        onChange={(picked) => {
          setChosen(picked)
          if (picked) onPick(picked.spool)
        }}
        groups={[{ things: (known.data ?? []).map(toPicked) }]}
        isFound={known.isSuccess}
        nothingFound={t('No filament matches. Fill in a new one below.')}
        placeholder={t('Find by brand, material or color')}
        listLabel={t('Known filaments')}
        clearLabel={t('Choose another filament')}
      />
    </Field>
  )
}
