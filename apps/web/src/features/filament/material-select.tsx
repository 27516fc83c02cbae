import { useQuery } from '@tanstack/react-query'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { materialsQuery } from './filament.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Selects a material. The current filter is listed even if no spool of that material is left. */
export function MaterialSelect({ material }: { material: string }) {
  const { data = [] } = useQuery(materialsQuery)
  const isListed = data.some((each) => each.toLowerCase() === material.toLowerCase())
  const options = material === '' || isListed ? data : [material, ...data]
  const selected = options.find((each) => each.toLowerCase() === material.toLowerCase()) ?? ''
  return (
    // Remounting when the materials load selects the material from the URL.
    <Select
      key={data.length}
      name="material"
      aria-label={t('Material')}
      defaultValue={selected}
      className="w-38 phone:min-w-[40%] phone:flex-1"
    >
      <option value="">{t('Any material')}</option>
      <Options of={options} />
    </Select>
  )
}
