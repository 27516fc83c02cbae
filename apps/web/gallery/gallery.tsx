import { Moon, Sun } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { toggleTheme, useTheme } from '@/lib/browser/theme.ts'
import type { ExampleGroup } from './example.tsx'
import { ACTIONS } from './examples/actions.tsx'
import { CHARTS } from './examples/charts.tsx'
import { DEMO } from './examples/demo.tsx'
import { DISPLAY } from './examples/display.tsx'
import { FEEDBACK } from './examples/feedback.tsx'
import { FORMS } from './examples/forms.tsx'
import { KIT } from './examples/kit.tsx'
import { LISTS } from './examples/lists.tsx'
import { OVERLAYS } from './examples/overlays.tsx'

const SECTIONS: Readonly<Record<string, readonly ExampleGroup[]>> = {
  Actions: ACTIONS,
  Forms: FORMS,
  Display: DISPLAY,
  Feedback: FEEDBACK,
  Charts: CHARTS,
  Overlays: OVERLAYS,
  Lists: LISTS,
  Kit: KIT,
  Demo: DEMO,
}

/** Shows every component in each of its states, for designers and for the browser tests. */
export function Gallery() {
  const isDark = useTheme() === 'dark'
  return (
    <div className="mx-auto max-w-[1280px] px-4 py-6 sm:px-6">
      <header className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-page font-semibold">Component gallery</h1>
        <Button
          icon={isDark ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
          onClick={toggleTheme}
        >
          {isDark ? 'Light theme' : 'Dark theme'}
        </Button>
      </header>
      <nav aria-label="Sections" className="mb-8 flex flex-wrap gap-x-5 gap-y-2">
        {Object.keys(SECTIONS).map((name) => (
          <a key={name} href={`#${name}`} className="link">
            {name}
          </a>
        ))}
      </nav>
      <main className="flex flex-col gap-12">
        {Object.entries(SECTIONS).map(([name, groups]) => (
          <section key={name} id={name} aria-labelledby={`${name}-title`}>
            <h2 id={`${name}-title`} className="mb-5 border-b border-line pb-2 text-page font-semibold">
              {name}
            </h2>
            <div className="flex flex-col gap-8">
              {groups.map((group) => (
                <Group key={group.component} {...group} />
              ))}
            </div>
          </section>
        ))}
      </main>
    </div>
  )
}

const Group = ({ component, examples }: ExampleGroup) => (
  <section aria-label={component}>
    <h3 className="mb-3 font-mono text-label text-ink-2">{component}</h3>
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,300px),1fr))] items-start gap-4">
      {examples.map(({ name, show, isWide = false }) => (
        <figure key={name} className={`flex min-w-0 flex-col gap-2 ${isWide ? 'col-span-full' : ''}`}>
          <figcaption className="text-caption text-ink-3">{name}</figcaption>
          <div className="relative min-w-0">{show}</div>
        </figure>
      ))}
    </div>
  </section>
)
