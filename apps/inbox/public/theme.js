// Before the page is first drawn: the theme that was chosen here, else the system's.
try {
  const theme = localStorage.getItem("byleave.theme")
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme
} catch {
  // A browser that keeps nothing follows the system.
}
