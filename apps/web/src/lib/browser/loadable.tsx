import { type ComponentType, lazy, Suspense, useState } from 'react'

export interface Loadable<Props> {
  Component: ComponentType<Props>
  /** Loads the component, so that it appears at once. A failure is reported where the component is shown. */
  preload: () => Promise<void>
}

/**
 * A component that is loaded when it is first shown. Unlike one of `lazy`, it needs no second rendering if it has been
 * loaded before.
 */
export function loadable<Props extends object>(load: () => Promise<ComponentType<Props>>): Loadable<Props> {
  let loaded: ComponentType<Props> | null = null
  const remember = async () => {
    loaded = await load()
    return { default: loaded }
  }
  const Waiting = lazy(remember) as ComponentType<Props>
  function Component(props: Props) {
    // The same one until it is unmounted, because another component would lose the state.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Waiting)
    return <Shown {...props} />
  }
  const preload = () =>
    remember().then(
      () => undefined,
      () => undefined,
    )
  return { Component, preload }
}

/** A dialog, or another part that a page shows later: loaded when it is first shown. The page stays as it is meanwhile. */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const { Component } = loadable(load)
  return (props) => (
    <Suspense fallback={null}>
      <Component {...props} />
    </Suspense>
  )
}
