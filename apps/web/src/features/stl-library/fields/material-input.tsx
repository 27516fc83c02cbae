import { useId } from 'react'
import { Input } from '@/components/ui/forms/input.tsx'
import { t } from '@/lib/i18n/messages.ts'

const USUAL = ['PLA', 'PETG', 'ABS', 'ASA', 'TPU', 'PA', 'PC', t('Resin')]

interface MaterialInputProps {
  value: string
  onChange: (value: string) => void
}

/** A field for the intended material. It accepts any text and shows suggestions. */
export function MaterialInput({ value, onChange }: MaterialInputProps) {
  const listId = useId()
  return (
    <>
      <Input
        value={value}
        maxLength={100}
        list={listId}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={listId}>
        {USUAL.map((material) => (
          <option key={material} value={material} />
        ))}
      </datalist>
    </>
  )
}
