import type { ReactNode } from 'react'
import { formatDateTime } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Lists the properties of an entity, with names on the left and values on the right. Takes Property elements. */
export const PropertyList = ({ children }: { children: ReactNode }) => (
  <dl className="px-4 pt-1.5 pb-2.5">{children}</dl>
)

interface PropertyProps {
  name: string
  children: ReactNode
  /** Unit or remark, shown after the value. */
  unit?: ReactNode
}

export const Property = ({ name, children, unit }: PropertyProps) => (
  <div className="flex justify-between gap-3 py-1 has-[button]:items-center">
    <dt className="shrink-0 text-ink-2">{name}</dt>
    <dd className="min-w-0 text-end font-[550] wrap-anywhere">
      {children}
      {unit ? <span className="font-normal text-ink-3"> {unit}</span> : null}
    </dd>
  </div>
)

interface DatePropertiesProps {
  /** Label of the creation time: `Added`. */
  created: string
  of: { created_at: string; updated_at: string }
}

/** Shows when an entity was created, and when it was last changed if that happened later. */
export const DateProperties = ({ created, of: { created_at, updated_at } }: DatePropertiesProps) => (
  <>
    <DateProperty name={created} moment={created_at} />
    {updated_at === created_at ? null : <DateProperty name={t('Changed')} moment={updated_at} />}
  </>
)

const DateProperty = ({ name, moment }: { name: string; moment: string }) => (
  <Property name={name}>
    <time dateTime={moment}>{formatDateTime(moment)}</time>
  </Property>
)
