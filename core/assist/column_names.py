"""Names by which columns are known, in lower case, without marks and accents, in Indian scripts too.

In English, then in Portuguese, Spanish, French, German and Hindi (in Latin letters and in Devanagari); the
plainest ones in Gujarati, Italian, Turkish, Indonesian, Russian, Chinese, Japanese and Arabic too.
A name whose meaning is not sure does not belong here; what a name tells is checked on the cells
(`core.assist.column_guesses`).
"""

from __future__ import annotations

import re
import unicodedata

from core.clean.value_units import unit_of_factor

VEHICLE_NAMES = (
    *("licenseplate", "numberplate", "plate", "vehicleid", "vehiclelabel", "vehicle", "busid", "bus"),
    *("vehicleref", "vid", "veh"),
    *("deviceid", "imei", "vehiclenumber", "vehicleno", "busnumber", "busno", "taxiid"),
    *("veiculo", "idveiculo", "veiculoid", "placa", "placadoveiculo", "placaveiculo", "numerodoveiculo"),
    *("numeroveiculo", "codigoveiculo", "codigodoveiculo", "veic", "codveic", "onibus", "idonibus"),
    *("prefixo", "prefixoveiculo", "prefixodoveiculo", "prefixoonibus", "prefixodoonibus"),
    *("numveiculo", "numvehiculo", "numvehicule"),
    *(
        "vehiculo",
        "idvehiculo",
        "vehiculoid",
        "bicicleta",
        "idbicicleta",
        "bicicletaid",
        "matricula",
        "placadelvehiculo",
        "placavehiculo",
    ),
    *("numerodevehiculo", "numerovehiculo", "autobus", "idautobus"),
    *("numeroeconomico", "numeconomico", "noeconomico", "neconomico", "economico"),
    *("idunidad", "unidadid", "nounidad", "numunidad", "numerounidad", "numerodeunidad"),
    *("vehicule", "idvehicule", "vehiculeid", "immatriculation", "plaqueimmatriculation"),
    *("plaquedimmatriculation", "numerovehicule", "numeroduvehicule"),
    *("nparc", "noparc", "ndeparc", "nodeparc", "numparc", "numeroparc", "numerodeparc"),
    *("nfrota", "nofrota", "ndefrota", "nodefrota", "numerofrota", "numerodefrota"),
    *("ncoche", "nocoche", "ndecoche", "nodecoche", "numerocoche", "numerodecoche"),
    *("fahrzeug", "fahrzeugid", "fahrzeugnr", "fahrzeugnummer", "kennzeichen", "wagennummer"),
    *("fahrzeugkennzeichen", "fahrzeugkennung"),
    *("vahan", "vahanid", "vahansankhya", "vahankramank", "gaadi", "gaadiid", "gaadinumber", "gaadisankhya"),
    *("gadi", "gadiid", "gadinumber", "gadisankhya", "vahannumber", "vahanno", "gaadino", "gadino"),
    *("वाहन", "वाहनआईडी", "वाहनसंख्या", "वाहनक्रमांक", "वाहननंबर", "गाडी", "गाडीसंख्या", "गाडीक्रमांक", "गाडीनंबर"),
    *("बस", "बससंख्या", "बसक्रमांक", "बसनंबर"),
    *("વાહન", "વાહનનંબર", "વાહનક્રમાંક", "વાહનસંખ્યા", "ગાડી", "ગાડીનંબર", "બસ", "બસનંબર", "બસક્રમાંક"),
    *("veicolo", "idveicolo", "targa", "mezzo", "arac", "aracid", "aracno", "plaka", "otobus", "otobusno"),
    *("kendaraan", "nokendaraan", "nopolisi", "госномер", "номертс", "тс", "транспортноесредство"),
    *("车辆", "车辆编号", "车牌", "车牌号", "車牌", "車両", "車両番号", "المركبة", "رقمالمركبة", "الحافلة"),
)
AGENCY_NAMES = (
    *("agencyid", "agency", "operatorid", "operatorref", "operator", "oper", "agencytag", "operatorcode"),
    *("agencykey", "agencycode", "companyid", "company", "dataprovider", "provider"),
    *("empresa", "operadora", "operateur", "exploitant", "betreiber", "verkehrsunternehmen"),
)
"""Of who numbers the vehicles: several may use the same numbers."""
UNSURE_VEHICLE_NAMES = ("unidad",)
"""In Mexico a unit of the fleet, but it may be one of measure: its cells must look like names of vehicles."""
SENSOR_NAMES = ("sensorid", "sensor", "sensorname", "sensorcode", "sensorref")
OTHER_SUBJECTS = {
    "sensor": SENSOR_NAMES,
    "station": (
        *("stationid", "station", "stationname", "stationcode", "messstelle", "messstellenid", "messstation"),
        *("estacion", "idestacion", "estacao", "idestacao", "stationdemesure"),
    ),
    "monitor": ("monitorid", "monitor", "monitorname"),
    "device": ("deviceid", "device", "devicename"),
}
"""What reports in place of a vehicle; but for sensors beside a value of `OTHER_VALUES` alone, as a bus has
a device and stops at stations."""
_PLAIN_TIMES = (
    *("observationdatetime", "timestamp", "datetime", "gpstime", "time", "eventtime", "recordedat"),
    *("recordedattime", "tmstmp", "tst", "eventtimestamp", "vehicletimestamp", "lastupdated", "extractts"),
    *("lastlocationupdatetime", "lastupdatetime"),
    *("ts", "epoch", "epochtime", "unixtime", "unixtimestamp", "gpstimestamp", "gpsdatetime"),
    *("datahora", "dataehora", "datahoragps", "dthr", "carimbodetempo"),
    *("fechahora", "fechayhora", "fechahoragps", "marcadetiempo", "marcatemporal"),
    *("horodatage", "dateheure", "dateetheure"),
    *("zeitstempel", "zeitpunkt", "datumuhrzeit", "datumzeit", "datumundzeit", "datumunduhrzeit"),
    *("dinanksamay", "tithisamay", "samayankan", "samay"),
    *("instante", "instant", "hora", "horario", "heure", "uhrzeit", "zeit"),
    *("दिनांकसमय", "तिथिसमय", "समयांकन", "टाइमस्टैंप", "टाइमस्टैम्प", "समय"),
    *("સમય", "તારીખસમય", "dataora", "ora", "zaman", "tarihsaat", "saat", "waktu", "датавремя", "датаивремя"),
    *("время", "时间", "定位时间", "時間", "日時", "الوقت", "fixtime", "devicetime"),
    *("date", "data", "fecha", "datum", "dinank", "दिनांक", "तारीख", "tarih"),
)
_CLOCKS = ("{}local", "local{}", "{}utc", "utc{}", "{}gmt")
TIME_NAMES = (
    *_PLAIN_TIMES,
    *(clock.format(name) for clock in _CLOCKS for name in filter(str.isascii, _PLAIN_TIMES)),
)
"""Local ones first: a zone is named for them, and times in UTC without an offset would count as local."""
DATE_NAMES = (
    *("date", "data", "fecha", "datum", "dinank", "tithi", "दिनांक", "तारीख", "तिथि", "dia", "jour", "tag"),
    *("gpsdate", "dategps", "datagps", "fechagps", "localdate", "recorddate", "eventdate"),
    *("તારીખ", "tarih", "tanggal", "дата", "日期", "日付", "التاريخ"),
    *("servicedate", "operatingdate", "operatingday", "operationdate", "opddate", "betriebstag"),
)
"""Of a date whose time of day stands in another column."""
CLOCK_NAMES = (
    *("time", "hora", "heure", "uhrzeit", "zeit", "samay", "समय", "horario", "horaire", "clock", "timeofday"),
    *("સમય", "ora", "saat", "waktu", "jam", "время", "时间", "時間", "時刻", "الوقت"),
    *("gpstime", "heuregps", "horagps", "localtime", "recordtime", "eventtime"),
    *("acttime", "secondssincemidnight", "secondspastmidnight", "secssincemidnight", "secspastmidnight"),
    *("servicetime", "timesecs", "timeseconds"),
)
"""Of a time of day whose date stands in another column."""
POSITION_NAMES = (
    *("locationcoordinates", "coordinates", "position", "location", "geometry", "geom", "point", "wkt"),
    *("wkb", "thegeom", "geopoint", "geopoint2d", "latlon", "latlng", "latlong", "coords", "shape"),
    *("coordenadas", "posicao", "localizacao", "geometria", "ponto"),
    *("posicion", "ubicacion", "localizacion", "punto"),
    *("coordonnees", "localisation", "emplacement", "geometrie"),
    *("koordinaten", "standort", "punkt"),
    *("nirdeshank", "sthiti", "sthan", "sthaan", "निर्देशांक", "स्थिति", "स्थान"),
)
LATITUDE_NAMES = (
    *("latitude", "lat", "latitud", "breitengrad", "geobreite", "breite"),
    *("akshansh", "akshaansh", "aksansh", "akshans", "अक्षांश", "अक्षान्श"),
    *("અક્ષાંશ", "latitudine", "enlem", "lintang", "широта", "纬度", "緯度", "خطالعرض"),
    *("latdeg", "latitudedeg", "latitudedegrees"),
    *("latitudee7", "late7", "latitudee6", "late6", "latitudemicrodegrees", "latmicrodeg"),
    *("y", "ycoord", "coordy", "ycoordinate", "coordenaday", "northing", "northings"),
)
LONGITUDE_NAMES = (
    *("longitude", "lon", "lng", "long", "longitud", "langengrad", "laengengrad", "geolange", "geolaenge"),
    *("lange", "laenge", "deshantar", "deshaantar", "rekhansh", "rekhaansh"),
    *("देशांतर", "देशान्तर", "रेखांश", "रेखान्श"),
    *("રેખાંશ", "longitudine", "boylam", "bujur", "долгота", "经度", "經度", "経度", "خطالطول"),
    *("londeg", "longitudedeg", "longitudedegrees"),
    *("longitudee7", "lone7", "lnge7", "longitudee6", "lone6", "longitudemicrodegrees", "lonmicrodeg"),
    *("x", "xcoord", "coordx", "xcoordinate", "coordenadax", "easting", "eastings"),
)
AXES = frozenset(
    name
    for name in (*LATITUDE_NAMES, *LONGITUDE_NAMES)
    if name[0] in "xy" or name[-1] in "xy" or name.startswith(("easting", "northing"))
)
"""Names of two plain axes: they may stand for metres, and for either coordinate."""
PREFIXES = (
    "vl",
    "vlr",
    "val",
    "valor",
    "nr",
    "num",
    "gps",
    "geo",
    "pos",
    "coord",
    "veh",
    "vehicle",
    "bus",
    "position",
    "location",
)
"""Before names of both coordinates, or of the value: `vl_latitude` and `vl_longitude`."""
_LATIN_ENDINGS = (
    *(("kmh", "km/h"), ("kmph", "km/h"), ("kph", "km/h"), ("kmhr", "km/h")),
    *((name, "km/h") for name in ("kms", "kmsa", "kmsaat", "kmjam")),
    *(("kmperhour", "km/h"), ("kilometersperhour", "km/h"), ("kilometresperhour", "km/h")),
    *(("milesperhour", "mph"), ("meterspersecond", "m/s"), ("metrespersecond", "m/s")),
    *(("mps", "m/s"), ("cms", unit_of_factor(0.036)), ("ms", "m/s"), ("mph", "mph")),
    *(("knots", "kn"), ("kts", "kn"), ("kn", "kn")),
)
_OTHER_ENDINGS = tuple(
    (name, "km/h") for name in ("किमीघंटा", "किमीप्रतिघंटा", "કિમીકલાક", "кмч", "公里小时", "كمس", "كمساعة")
)
UNIT_ENDINGS = (*_LATIN_ENDINGS, *_OTHER_ENDINGS)
"""The first that fits counts: `kmph` before `mph`."""
_LATIN_VALUES = tuple(
    name + ending
    for name in (
        *("speed", "velocity", "gpsspeed", "vehiclespeed", "spd", "positionspeed", "locationspeed"),
        *("groundspeed", "currentspeed"),
        *("velocidade", "velocidad", "vel", "vitesse", "geschwindigkeit", "geschw"),
        *("rapidez", "fahrgeschwindigkeit", "gpsgeschwindigkeit"),
        *("gati", "raftaar", "raftar", "velocita", "hiz", "kecepatan"),
    )
    for ending in ("", *(ending for ending, _ in _LATIN_ENDINGS))
)
_OTHER_VALUES = tuple(
    name + ending
    for name in ("गति", "रफ्तार", "चाल", "वेग", "ઝડપ", "ગતિ", "скорость", "速度", "车速", "السرعة")
    for ending in ("", *(ending for ending, _ in _OTHER_ENDINGS))
)
VALUE_NAMES = (*_LATIN_VALUES, *_OTHER_VALUES)
OTHER_VALUES = {
    ("pm25", "\u00b5g/m\u00b3", "ug_m3"): ("pm25", "pm2p5", "pm25ugm3", "pm25gm3", "pm25value"),
    ("pm10", "\u00b5g/m\u00b3", "ug_m3"): ("pm10", "pm10ugm3", "pm10gm3", "pm10value"),
    ("no2", "", ""): ("no2", "no2ugm3", "no2gm3", "no2ppb", "no2value"),
    ("occupancy", "", ""): ("occupancy", "occupancypercent", "occupancypct", "occupancyrate"),
    ("boardings", "persons", "persons"): ("boardings", "boarding", "boardingcount", "passengersboarding"),
}
"""Name of a value that is no speed, its unit and that of columns, empty where several are in use -> names."""
SPEED_UNIT = re.compile(
    r"(?:[([/_ ]|^)(?:km ?/ ?h|kmh|km/hr|kmph|kph|m/s|mph|kn|kts|knots)[)\]]?\s*$", re.IGNORECASE
)
"""A name that ends in a unit of speed; plain `ms` may be milliseconds, and `mps` something else."""
TENTHS = re.compile("tenths?|x10|zehntel|decimas|decimos|dixiemes")
"""In the name of a number: it is ten times as large as in the unit that the rest tells."""
SPECIFIED_UNITS = (
    ("speed", ("locationpingid",), "m/s", "TIDES"),
    ("speed", ("telemetryid",), "m/s", "MDS"),
    ("speed", ("providerid", "deviceid", "lat", "lng"), "m/s", "MDS"),
    ("velocity", ("vehicleref",), "m/s", "SIRI"),
    ("positionspeed", ("positionlatitude", "positionlongitude"), "m/s", "GTFS Realtime"),
    ("spd", ("veh", "tst"), "m/s", "HFP"),
    ("spd", ("vid", "tmstmp"), "mph", "BusTime"),
)
"""What a specification says of its speeds: name of their column, names beside it, unit, specification."""
OTHER_SPEEDS = ("limit", "max", "wind")
"""In a name: a speed, but not how fast the vehicle went."""
_UTC = re.compile("U(?:TC|tc)|GMT|(?<![A-Za-z])(?:utc|gmt)|(?:utc|gmt)(?![A-Za-z])")
_JOINS = 9
"""The class of the signs by which letters of Indian scripts are joined."""
_LETTERS = str.maketrans("ıđł", "idl")
"""Latin letters whose marks are part of them."""


def plain_name(name: str) -> str:
    """A name as those of this file are written: an accent goes, its letter stays.

    Of a name in two scripts, such as `समय (time)`, the Latin letters tell.
    """
    letters = unicodedata.normalize("NFKD", name.casefold()).translate(_LETTERS)
    if re.search("[a-z]", letters):
        return re.sub("[^a-z0-9]", "", letters)
    return "".join(filter(_is_of_a_word, letters))


def _is_of_a_word(sign: str) -> bool:
    """Digits, letters, their vowel signs, and what joins letters; a dot below goes as an accent does."""
    marks = unicodedata.category(sign)[0] == "M" and unicodedata.combining(sign) in (0, _JOINS)
    return sign.isalnum() or marks


def names_utc(column: str) -> bool:
    """Whether a name says that its times are in UTC."""
    return _UTC.search(column) is not None


def is_other_speed(plain: str) -> bool:
    """Whether a plain name is of one of `OTHER_SPEEDS`; the German word for speed holds a wind."""
    return any(other in plain.replace("geschwind", "") for other in OTHER_SPEEDS)
