/** The kingdom and its countries, and their short forms: alternatives of an expression. */
const countryNames = 'England|Scotland|Wales|Cymru|Northern Ireland|N Ireland|UK|United Kingdom|GB|GBR|Great Britain';

/** Maybe a country at the end of a text; the source of an expression. */
export const maybeCountry = `(?:[\\s,]+(?:${countryNames})\\.?)?`;

/** Historic and ceremonial counties, the kingdom and its countries, and their short forms: alternatives of an expression. */
export const areaNames =
  `Anglesey|Angus|Argyll|Avon|Bedfordshire|Beds|Berkshire|Berks|Buckinghamshire|Bucks|Caithness|Cambridgeshire|Cambs|Ceredigion|
Cheshire|Ches|Cleveland|Clwyd|Cornwall|Cumbria|Derbyshire|Derbys|Devon|Dorset|Dyfed|East Lothian|East Sussex|West Sussex|Sussex|Essex|
Fife|Gloucestershire|Glos|Greater London|Gtr London|Greater Manchester|Gtr Manchester|Gwent|Gwynedd|Hampshire|Hants|Herefordshire|
Herefs|Hertfordshire|Herts|Humberside|Isle (?:of )?Anglesey|Isle (?:of )?Wight|Kent|Lanarkshire|Lancashire|Lancs|Leicestershire|Leics|
Lincolnshire|Lincs|Merseyside|Mid Glamorgan|South Glamorgan|West Glamorgan|Middlesex|Middx|Midlothian|Norfolk|Northamptonshire|
Northants|Northumberland|Nottinghamshire|Notts|Orkney|Oxfordshire|Oxon|Powys|Rutland|Shetland|Shropshire|Salop|Somerset|Staffordshire|
Staffs|Suffolk|Surrey|Sutherland|Tyne (?:and |& )?Wear|Warwickshire|Warks|West Lothian|West Midlands|W Midlands|Westmorland|Wiltshire|
Wilts|Worcestershire|Worcs|North Yorkshire|N Yorks|South Yorkshire|S Yorks|West Yorkshire|W Yorks|East Yorkshire|E Yorks|Yorkshire|
Yorks|${countryNames}`.replace(/\s*\n\s*/g, '');

const areaName = new RegExp(`^(?:${areaNames}|\\p{L}+shire|(?:county|co) .*)$`, 'iu');

/** Whether a text looks like the name of a county or a country of the United Kingdom, and nothing else. */
export const isAreaName = (text: string): boolean => areaName.test(text.replaceAll('.', '').trim());
