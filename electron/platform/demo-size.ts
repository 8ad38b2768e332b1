/** The size of the demo service and of its history from the environment; tests set it for a faster start. */
export const readDemoSize = () => ({
  premises: wholeNumber(process.env.ADDRESS_CONSOLE_DEMO_PREMISES),
  days: wholeNumber(process.env.ADDRESS_CONSOLE_DEMO_DAYS),
});

function wholeNumber(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}
