import type { ReactNode } from 'react'
import { Skeleton, SkeletonRows } from '@/components/ui/feedback/skeleton.tsx'

interface SectionProps {
  title: string
  intro?: ReactNode
  children: ReactNode
}

/** A part of a tab with its own heading. */
export const Section = ({ title, intro, children }: SectionProps) => (
  <section className="flex flex-col gap-3 not-first:border-t not-first:border-line not-first:pt-5">
    <div>
      <h3 className="font-semibold tracking-[-0.005em]">{title}</h3>
      {intro ? <p className="mt-0.5 text-ink-2">{intro}</p> : null}
    </div>
    {children}
  </section>
)

/** The rows of a section, as `<li>` elements in a frame. */
export const SectionList = ({ label, children }: { label?: string; children: ReactNode }) => (
  <ul aria-label={label} className="flex flex-col divide-y divide-line rounded-control border border-line">
    {children}
  </ul>
)

interface SectionListSkeletonProps {
  label: string
  /** The number of rows. */
  count: number
  /** The bars of a row. Each has its size as a class. */
  bars: readonly string[]
}

/** Placeholder for a SectionList that is loading. */
export const SectionListSkeleton = ({ label, count, bars }: SectionListSkeletonProps) => (
  <SkeletonRows
    label={label}
    count={count}
    className="rounded-control border border-line"
    rowClass="flex flex-col gap-2 px-3 py-3"
  >
    {bars.map((size) => (
      <Skeleton key={size} className={size} />
    ))}
  </SkeletonRows>
)
