import { MAX_TAGS, TAG_MAX_LENGTH, normalizeTags } from '@pegasus/contracts/stl-library/models'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useFieldControl } from '@/components/ui/forms/field-context.ts'
import { comboboxProps, useListEscape } from '@/components/fields/combobox.ts'
import { cx } from '@/lib/class-names.ts'
import { formatCount } from '@/lib/format/format.ts'
import { tagsQuery } from '../search/search.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

interface TagFieldProps {
  tags: readonly string[]
  onChange: (tags: string[]) => void
  /** True to show how many models have each tag. */
  isCounted?: boolean
}

/** A field that shows tags as chips, and suggests tags from the library. Put it inside a Field. */
export function TagField({ tags, onChange, isCounted = false }: TagFieldProps) {
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const listId = useId()
  const field = useFieldControl()
  const { data } = useQuery({ ...tagsQuery(text.trim().toLowerCase()), enabled: isOpen })
  const offered = (isOpen ? (data ?? []) : []).filter(({ tag }) => !tags.includes(tag))
  const isFull = tags.length >= MAX_TAGS
  useListEscape(isOpen, () => setIsOpen(false))

  const add = (added: readonly string[]) => {
    onChange(normalizeTags([...tags, ...added]).slice(0, MAX_TAGS))
    setText('')
    setActive(-1)
  }
  const addTyped = () => {
    if (text.trim() !== '') add(text.split(','))
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const chosen = offered[active]?.tag
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setIsOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((now) => Math.max(-1, Math.min(offered.length - 1, now + step)))
    } else if (event.key === ',' || (event.key === 'Enter' && (chosen || text.trim() !== ''))) {
      // Enter submits the surrounding form only if there is no tag to add.
      event.preventDefault()
      if (chosen && event.key === 'Enter') add([chosen])
      else addTyped()
    } else if (event.key === 'Backspace' && text === '' && tags.length > 0) onChange(tags.slice(0, -1))
  }
  return (
    <div className="relative">
      <div className="flex min-h-[34px] flex-wrap items-center gap-1 rounded-control border border-control bg-surface p-1 has-[input:focus-visible]:border-accent has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent phone:min-h-11">
        {tags.map((tag) => (
          <TagChip key={tag} tag={tag} onRemove={() => onChange(tags.filter((other) => other !== tag))} />
        ))}
        <input
          {...field}
          {...comboboxProps(listId, offered, active)}
          value={text}
          maxLength={TAG_MAX_LENGTH}
          disabled={isFull}
          placeholder={
            isFull
              ? t('At most {MAX_TAGS} tags', { MAX_TAGS })
              : tags.length === 0
                ? t('Type a tag')
                : undefined
          }
          onChange={(event) => {
            setText(event.target.value)
            setActive(-1)
            setIsOpen(true)
          }}
          onFocus={() => setIsOpen(true)}
          onBlur={() => {
            addTyped()
            setIsOpen(false)
          }}
          onKeyDown={handleKey}
          className="h-6 min-w-24 flex-1 bg-transparent px-1.5 text-ink outline-none phone:h-9"
        />
      </div>
      <ul
        id={listId}
        role="listbox"
        aria-label={t('Suggestions')}
        className={cx(
          'absolute inset-x-0 top-full z-10 mt-1 max-h-52 overflow-y-auto rounded-card border border-line-2 bg-surface p-1 shadow-float',
          offered.length === 0 && 'hidden',
        )}
      >
        {offered.map(({ tag, models }, index) => (
          <li
            key={tag}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            // The tag is added on mouse down, because the field loses the focus before the click, and the list closes.
            onMouseDown={(event) => {
              event.preventDefault()
              add([tag])
            }}
            onMouseEnter={() => setActive(index)}
            className={cx(
              'flex min-h-8 cursor-pointer items-center gap-3 rounded-control px-2.5 phone:min-h-11 touch:min-h-11',
              index === active && 'bg-hover',
            )}
          >
            <bdi className="min-w-0 truncate">{tag}</bdi>
            {isCounted ? (
              <span className="ms-auto text-ink-3">
                {formatCount(models)}
                <span className="sr-only"> {t('models')}</span>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  )
}

const TagChip = ({ tag, onRemove }: { tag: string; onRemove: () => void }) => (
  <span className="inline-flex h-6 max-w-full items-center rounded-badge bg-sunken ps-1.5 text-label text-ink phone:h-9">
    <bdi className="truncate">{tag}</bdi>
    <button
      type="button"
      aria-label={t('Remove tag {tag}', { tag })}
      onClick={onRemove}
      className="grid size-6 shrink-0 place-items-center rounded-badge text-ink-3 hover:text-ink phone:size-9"
    >
      <X size={12} strokeWidth={2} aria-hidden />
    </button>
  </span>
)
