import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { useListEscape } from '@/components/use-list-escape.ts'
import { cx } from '@/lib/class-names.ts'
import { modelsQuery } from '@/lib/http/model-queries.ts'

const OFFERED = 6

/** A model of the library, as much of it as a field shows. */
export interface PickedModel {
  id: string
  title: string
  picture: string | null
}

/** The model that an item is made from. */
export const modelOf = ({
  stl_file_id: id,
  stl_file_title: title,
  stl_thumbnail_path: picture,
}: InventoryItem): PickedModel | null => (id ? { id, title: title ?? id, picture } : null)

const pick = ({ id, title, thumbnail_path: picture }: Model): PickedModel => ({ id, title, picture })

interface ModelPickerProps {
  model: PickedModel | null
  onChange: (model: PickedModel | null) => void
}

/** A model of the library, found by a few letters. Inside a Field. */
export const ModelPicker = ({ model, onChange }: ModelPickerProps) =>
  model ? (
    <div className="flex h-[34px] items-center gap-2 rounded-control border border-control bg-surface pr-1 pl-1 phone:h-11">
      <PartPicture src={model.picture} className="size-6 phone:size-9" />
      <bdi className="min-w-0 flex-1 truncate" title={model.title}>
        {model.title}
      </bdi>
      <IconButton
        label="Remove the model"
        size="sm"
        className="-my-1 h-6! w-6! phone:h-11!"
        onClick={() => onChange(null)}
      >
        <X size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </div>
  ) : (
    <Finder onChoose={onChange} />
  )

function Finder({ onChoose }: { onChoose: (model: PickedModel) => void }) {
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(0)
  const listId = useId()
  const search = useDeferredValue(text.trim())
  const models = useQuery({ ...modelsQuery({ search, limit: OFFERED }), enabled: isOpen })
  const offered = isOpen ? (models.data?.items ?? []).map(pick) : []
  const isNothing = isOpen && offered.length === 0 && models.isSuccess
  useListEscape(isOpen, () => setIsOpen(false))
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setIsOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((now) => Math.max(0, Math.min(offered.length - 1, now + step)))
    } else if (event.key === 'Enter' && isOpen) {
      // Enter sends the form around it only where nothing is being chosen.
      event.preventDefault()
      const chosen = offered[active]
      if (chosen) onChoose(chosen)
    }
  }
  return (
    <div className="relative">
      <Input
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={offered.length > 0}
        aria-controls={listId}
        aria-activedescendant={offered[active] ? `${listId}-${active}` : undefined}
        value={text}
        maxLength={200}
        autoComplete="off"
        placeholder="Find in the library"
        icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
          setIsOpen(true)
        }}
        onClick={() => setIsOpen(true)}
        onBlur={() => setIsOpen(false)}
        onKeyDown={handleKey}
      />
      {isNothing ? (
        <p role="status" className="mt-1 text-caption text-ink-2">
          {search === '' ? 'There are no models yet.' : 'No model matches.'}
        </p>
      ) : null}
      <ul
        id={listId}
        role="listbox"
        aria-label="Models found"
        className={cx(
          'absolute inset-x-0 top-full z-10 mt-1 max-h-72 min-w-64 overflow-y-auto rounded-card border border-line-2 bg-surface p-1 shadow-float',
          offered.length === 0 && 'hidden',
        )}
      >
        {offered.map((model, index) => (
          <li
            key={model.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            // Before the field loses the focus, which would close the list.
            onMouseDown={(event) => {
              event.preventDefault()
              onChoose(model)
            }}
            onMouseMove={() => setActive(index)}
            className={cx(
              'flex cursor-pointer items-center gap-2.5 rounded-control p-1.5',
              index === active && 'bg-hover',
            )}
          >
            <PartPicture src={model.picture} className="size-10" />
            <bdi className="min-w-0 truncate" title={model.title}>
              {model.title}
            </bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
