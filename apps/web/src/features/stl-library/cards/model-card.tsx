import type { ListedModel } from '@pegasus/contracts/stl-library/models'
import { TriangleAlert } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { Tag } from '@/components/ui/display/badge.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatCount, formatKb } from '@/lib/format/format.ts'
import { LicenseLabel } from '../fields/license-label.tsx'
import { TAGS_SHOWN } from './card-layout.ts'
import { formatSize, measureLine } from '../model-page/model-measures.ts'
import { ModelPicture } from './model-picture.tsx'
import { gravestWarning, shortWarning } from '../model-page/model-warnings.ts'
import { useMeasuredModel } from '../model-page/use-measured-model.ts'
import { t } from '@/lib/i18n/messages.ts'

interface ModelCardProps {
  model: ListedModel
  /** Address of the model's page. */
  to: string
  /** True for a row, as on a phone; false for a card. */
  isRow: boolean
  /** True if there is room for words instead of symbols. */
  isWide: boolean
  tick: Tick | null
}

/** The selection state of a model. Absent for people who may not change anything. */
interface Tick {
  isOn: boolean
  /** True if any card is selected. If so, each card shows its checkbox. */
  isAnyOn: boolean
  onToggle: () => void
}

/** A model with the data that people need to choose one: picture, size, warnings, license. */
export function ModelCard({ model: listed, to, isRow, isWide, tick }: ModelCardProps) {
  const model = useMeasuredModel(listed)
  const Shape = isRow ? RowShape : CardShape
  return <Shape model={model} to={to} isWide={isWide} tick={tick} />
}

interface LinkedProps {
  model: ListedModel
  to: string
}

interface ShapeProps extends LinkedProps {
  isWide: boolean
  tick: Tick | null
}

function CardShape({ model, to, isWide, tick }: ShapeProps) {
  const isOn = tick?.isOn ?? false
  return (
    <article
      className={cx(
        'group relative flex h-full flex-col overflow-hidden rounded-card border bg-surface',
        isOn ? 'border-accent shadow-[0_0_0_1px_var(--accent)]' : 'border-line',
      )}
    >
      <ModelPicture model={model} className="aspect-5/4 w-full" hasBack />
      {tick ? (
        <TickBox
          model={model}
          tick={tick}
          className={cx(
            'absolute top-1 start-1',
            !tick.isAnyOn &&
              'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 touch:opacity-100',
          )}
        />
      ) : null}
      <div className="flex flex-1 flex-col border-t border-line p-3 ps-3.5">
        <Title model={model} to={to} />
        <Description model={model} className="mt-0.5 line-clamp-2 min-h-9 wrap-anywhere" />
        <MeasureLine model={model} isWide={isWide} className="mt-1.5" />
        <Tags tags={model.tags} className="mt-2 min-h-5" />
        <div className="mt-2.5 flex items-center gap-2.5 text-label">
          <LicenseAndSize model={model} />
          <ViewButton model={model} to={to} />
        </div>
      </div>
    </article>
  )
}

function RowShape({ model, to, isWide, tick }: ShapeProps) {
  return (
    <article
      className={cx(
        'relative flex items-start gap-3 border-b border-line px-4 py-3',
        tick?.isOn ? 'bg-accent-soft' : 'bg-surface',
      )}
    >
      <div className="relative shrink-0">
        <ModelPicture model={model} className="size-18" isSmall />
        {tick ? <TickBox model={model} tick={tick} className="absolute -top-1 -start-1" /> : null}
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <Title model={model} to={to} />
        <Description model={model} className="truncate" />
        <MeasureLine model={model} isWide={isWide} className="mt-0.5" />
        <Tags tags={model.tags} className="mt-1.5" />
        <div className="mt-1.5 flex items-center gap-2 text-label">
          <LicenseAndSize model={model} />
          {model.is_product ? (
            <span className="text-caption font-[550] text-accent-ink">{t('Product')}</span>
          ) : null}
        </div>
        <RowWarning model={model} />
      </div>
      <ViewButton model={model} to={to} />
    </article>
  )
}

function RowWarning({ model }: { model: ListedModel }) {
  const warning = gravestWarning(model.warnings)
  if (!warning) return null
  return (
    <p className="mt-1 flex items-center gap-1 text-caption font-[550] text-yellow-ink">
      <TriangleAlert size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
      {shortWarning(warning)}
    </p>
  )
}

/** Selects the model for bulk actions. The checkbox is on top of the link that fills the card. */
const TickBox = ({ model, tick, className }: { model: ListedModel; tick: Tick; className: string }) => (
  <Checkbox
    label={t('Select {title}', { title: model.title })}
    isLabelHidden
    checked={tick.isOn}
    onChange={tick.onToggle}
    className={cx('z-10 size-8 justify-center transition-opacity phone:size-11', className)}
  />
)

/**
 * The model's title as a link that covers the whole card, so that it can also open in a new tab. The keyboard uses the
 * View button instead.
 */
function Title({ model, to }: LinkedProps) {
  return (
    <h2 className="truncate text-body font-semibold tracking-[-0.006em]" title={model.title}>
      <Link to={to} tabIndex={-1} className="after:absolute after:inset-0">
        <bdi>{model.title}</bdi>
      </Link>
    </h2>
  )
}

interface MeasureLineProps {
  model: ListedModel
  isWide: boolean
  className: string
}

function MeasureLine({ model, isWide, className }: MeasureLineProps) {
  const size =
    model.bounding_box_mm &&
    t('{bounding_box_mm} mm', { bounding_box_mm: formatSize(model.bounding_box_mm.size) })
  const waiting = model.analysis_status === 'failed' ? t('Not measured') : t('Measuring…')
  return (
    <p className={cx('truncate text-caption text-ink-3', className)} title={measureLine(model) ?? undefined}>
      {size ?? waiting}
      {model.triangles === null ? null : (
        <>
          {' · '}
          {formatCount(model.triangles)}
          {/* Shows the word if there is room, otherwise the symbol. */}
          {isWide ? null : (
            <span
              className="ms-1 inline-block size-2 bg-current [clip-path:polygon(50%_6%,100%_94%,0_94%)]"
              aria-hidden
            />
          )}
          <span className={isWide ? undefined : 'sr-only'}> {t('triangles')}</span>
        </>
      )}
    </p>
  )
}

/** A tag of at most this many letters stays whole. If there is no room, only the longer tags are shortened. */
const SHORT_TAG_LENGTH = 7

const isShort = (tag: string): boolean => [...tag].length <= SHORT_TAG_LENGTH

/** The first tags in one line, and the number of the others. All cards of a row get the same height. */
function Tags({ tags, className }: { tags: readonly string[]; className: string }) {
  const hidden = tags.slice(TAGS_SHOWN)
  if (tags.length === 0) return <div className={className} />
  return (
    <ul className={cx('flex gap-1 overflow-hidden', className)} aria-label={t('Tags')}>
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <li key={tag} className={cx('flex', isShort(tag) ? 'min-w-0' : 'min-w-10 shrink-[9999]')} title={tag}>
          <Tag>{tag}</Tag>
        </li>
      ))}
      {hidden.length > 0 ? (
        <li className="flex shrink-0" title={hidden.join(', ')}>
          <Tag>{`+${hidden.length}`}</Tag>
        </li>
      ) : null}
    </ul>
  )
}

function ViewButton({ model, to }: LinkedProps) {
  const navigate = useNavigate()
  return (
    <Button
      size="sm"
      className="relative ms-auto"
      aria-label={t('View {title}', { title: model.title })}
      onClick={() => navigate(to)}
    >
      {t('View')}
    </Button>
  )
}

const Description = ({ model, className }: { model: ListedModel; className: string }) => (
  <p
    className={cx('text-start text-label', model.description ? 'text-ink-2' : 'text-ink-3', className)}
    dir="auto"
  >
    {model.description ?? t('No description provided')}
  </p>
)

const LicenseAndSize = ({ model }: { model: ListedModel }) => (
  <>
    <LicenseLabel model={model} />
    <span className="whitespace-nowrap text-ink-3">{formatKb(model.file_size)}</span>
  </>
)
