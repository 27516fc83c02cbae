// Exits with status 0 if the server in this container is ready.
const response = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).catch(() => null)
process.exitCode = response?.ok ? 0 : 1
