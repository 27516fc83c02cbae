import { Box, Boxes } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { type Part, PartPicker } from '../product-form/part-picker.tsx'
import { isEmptyForm, type ProductForm } from '../product-form/product-form.ts'

interface StartBarProps {
  form: ProductForm
  onPick: (part: Part) => void
  /** The number of drafts on the server. */
  drafts: number
  onDrafts: () => void
}

/** Shown while nothing is typed. It offers to start from existing data. */
export function StartBar({ form, onPick, drafts, onDrafts }: StartBarProps) {
  const [kind, setKind] = useState<Part['kind'] | null>(null)
  if (!isEmptyForm(form) && kind === null) return null
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-control bg-sunken px-3 py-2.5">
      <p className="min-w-48 flex-1 text-label text-ink-2">
        Start from an existing part: name, description, tags, license, measures, price and pictures come with
        it.
      </p>
      <Button
        size="sm"
        icon={<Box size={14} strokeWidth={1.75} aria-hidden />}
        onClick={() => setKind('model')}
      >
        From a model
      </Button>
      <Button
        size="sm"
        icon={<Boxes size={14} strokeWidth={1.75} aria-hidden />}
        onClick={() => setKind('item')}
      >
        From an inventory item
      </Button>
      {drafts > 0 ? (
        <Button size="sm" onClick={onDrafts}>
          Continue a draft
        </Button>
      ) : null}
      {kind ? (
        <PartPicker
          key={kind}
          kind={kind}
          title={kind === 'model' ? 'Start from a model' : 'Start from an inventory item'}
          onClose={() => setKind(null)}
          onPick={(part) => {
            setKind(null)
            onPick(part)
          }}
        />
      ) : null}
    </div>
  )
}
